import type { Page } from 'playwright-core'

/** Elements beyond the right edge without an ancestor that scrolls or clips. */
const expression = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const isCut = (element) => element !== null &&
    (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !isCut(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120))
    .concat('the page is ' + scrollWidth + ' pixels wide, the window ' + clientWidth)
})()`

/** Elements that make a page scroll sideways, as HTML; empty when it does not. */
export const findWideElements = (page: Page): Promise<string[]> => page.evaluate<string[]>(expression)
