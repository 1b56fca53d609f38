/**
 * Focuses the wallet's panel before its button disappears; otherwise keyboard users would start at the top of the page.
 */
export const focusWallet = (): void => document.getElementById('wallet')?.focus({ preventScroll: true })
