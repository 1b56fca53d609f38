const maxTokensOfRequest = 100
/** Milliseconds during which requests of a page are collected. */
const gatherMs = 10

type Waiting<T> = Map<string, ((token: T | undefined) => void)[]>

/**
 * Caches token metadata and batches simultaneous requests.
 * @param request loads at most 100 tokens of a chain; omits unknown ones, never rejects
 * @returns finds a token by its lower-case address; undefined for an unknown token, which is requested again next time
 */
export const createTokenBook = <T extends { address: string }>(
  request: (chainId: number, addresses: string[]) => Promise<T[]>,
): ((chainId: number, address: string) => Promise<T | undefined>) => {
  const known = new Map<string, Promise<T | undefined>>()
  const waiting = new Map<number, Waiting<T>>()

  const requestAll = async (chainId: number): Promise<void> => {
    const queue = [...(waiting.get(chainId) ?? [])]
    waiting.delete(chainId)
    for (let i = 0; i < queue.length; i += maxTokensOfRequest) {
      const part = queue.slice(i, i + maxTokensOfRequest)
      const tokens = await request(
        chainId,
        part.map(([address]) => address),
      )
      for (const [address, resolves] of part) {
        const token = tokens.find((candidate) => candidate.address === address)
        if (!token) known.delete(`${chainId}:${address}`)
        for (const resolve of resolves) resolve(token)
      }
    }
  }

  const enqueue = (chainId: number, address: string): Promise<T | undefined> =>
    new Promise((resolve) => {
      const queue: Waiting<T> = waiting.get(chainId) ?? new Map()
      if (!waiting.has(chainId)) setTimeout(() => void requestAll(chainId), gatherMs)
      waiting.set(chainId, queue)
      queue.set(address, [...(queue.get(address) ?? []), resolve])
    })

  return (chainId, address) => {
    const key = `${chainId}:${address}`
    const found = known.get(key) ?? enqueue(chainId, address)
    known.set(key, found)
    return found
  }
}
