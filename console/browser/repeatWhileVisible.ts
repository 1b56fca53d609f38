/** Calls back after a delay in milliseconds; while the page is hidden, as soon as it becomes visible. */
export const repeatWhileVisible = (again: () => void, ms: number): (() => void) => {
  const look = () => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', look)
    again()
  }
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look)
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
