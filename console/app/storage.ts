/** What this browser remembers between visits. Where site data is blocked it remembers nothing: each access of `localStorage` throws. */
export const storage = {
  get: (key: string): string | null => attempt(() => localStorage.getItem(key)),
  set: (key: string, value: string): void => {
    attempt(() => localStorage.setItem(key, value))
  },
  remove: (key: string): void => {
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
