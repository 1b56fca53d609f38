let isFirst = true

/** Screen readers do not notice a page change without a new document, so the heading gets the focus. */
export const focusPage = (): void => {
  if (!isFirst) document.getElementById('main')?.focus({ preventScroll: true })
  isFirst = false
}
