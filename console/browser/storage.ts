/** What could not be written anywhere else. */
const ofThisPage = new Map<string, string>()

/**
 * What this browser remembers between visits. Where site data is blocked each access of `localStorage` throws, and things are
 * remembered as long as the page is open.
 */
export const storage = {
  get: (key: string): string | null => ofThisPage.get(key) ?? attempt(() => localStorage.getItem(key)),
  set: (key: string, value: string): void => {
    ofThisPage.set(key, value)
    attempt(() => {
      localStorage.setItem(key, value)
      ofThisPage.delete(key)
    })
  },
  remove: (key: string): void => {
    ofThisPage.delete(key)
    attempt(() => localStorage.removeItem(key))
  },
}

const attempt = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch {
    return null
  }
}
