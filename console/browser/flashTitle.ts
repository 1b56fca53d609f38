/** Milliseconds until a visible page has its own title again. */
const shownMs = 6_000

let restore: (() => void) | undefined

/** Shows a text before the title of the tab: for some seconds, and in a hidden tab until it is opened. */
export const flashTitle = (text: string): void => {
  restore?.()
  const own = document.title
  document.title = `${text} · ${own}`
  const finish = () => {
    document.removeEventListener('visibilitychange', look)
    // the page may have changed its title
    if (document.title === `${text} · ${own}`) document.title = own
    restore = undefined
  }
  const look = () => {
    if (!document.hidden) setTimeout(finish, shownMs)
  }
  restore = finish
  document.addEventListener('visibilitychange', look)
  look()
}
