/** Words of the chain by key, with a journal for reverting calls, blocks and simulations. */
export type Store = {
  get: (key: string) => bigint
  set: (key: string, value: bigint) => void
  /** position in the journal */
  mark: () => number
  /** undoes everything after a mark */
  revertTo: (mark: number) => void
  /** undoes everything after a mark while `work` runs, and repeats it afterwards; changes of `work` are lost */
  before: <T>(mark: number, work: () => T) => T
  /** words that were set after a mark, with their values now */
  changedSince: (mark: number) => ReadonlyMap<string, bigint>
}

/** An empty store: each word is 0. */
export const createStore = (): Store => {
  const words = new Map<string, bigint>()
  const journal: [key: string, earlier: bigint][] = []
  const get = (key: string) => words.get(key) ?? 0n
  const set = (key: string, value: bigint) => {
    journal.push([key, get(key)])
    words.set(key, value)
  }
  const revertTo = (mark: number) => {
    while (journal.length > mark) {
      const [key, earlier] = journal.pop() ?? ['', 0n]
      words.set(key, earlier)
    }
  }
  return {
    get,
    set,
    mark: () => journal.length,
    revertTo,
    changedSince: (mark) => new Map(journal.slice(mark).map(([key]) => [key, get(key)])),
    before: (mark, work) => {
      const later: typeof journal = []
      while (journal.length > mark) {
        const [key, earlier] = journal.pop() ?? ['', 0n]
        later.push([key, get(key)])
        words.set(key, earlier)
      }
      try {
        return work()
      } finally {
        revertTo(mark)
        for (const [key, value] of later.reverse()) set(key, value)
      }
    },
  }
}
