/** Puts the focus on the wallet's panel, where its button is about to go: else the keyboard would begin at the top of the page. */
export const focusWallet = (): void => document.getElementById('wallet')?.focus({ preventScroll: true })
