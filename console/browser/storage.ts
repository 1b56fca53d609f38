/** Values that could not be stored in the browser. */
const ofThisPage = new Map<string, string>()

/**
 * Values stored in this browser between visits. Where site data is blocked, every access of `localStorage` throws, and
 * values live as long as the page.
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
