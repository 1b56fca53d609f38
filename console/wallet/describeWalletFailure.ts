const maxLength = 300

/** Codes of EIP-1193 and EIP-3326, and that of a pending request. */
const texts: Record<number, string> = {
  4001: 'You rejected the request in your wallet. Nothing was signed or sent.',
  4100: 'Your wallet does not let this page use that account. Connect it again.',
  4200: 'Your wallet does not support this request.',
  4900: 'Your wallet is not connected to any network.',
  4901: 'Your wallet is not connected to this network.',
  [-32002]: 'Your wallet has another pending request. Open it and complete that one first.',
}

/** A wallet error as text for the user. */
export const describeWalletFailure = (thrown: unknown): string => {
  const { code, message } = readError(thrown)
  const known = typeof code === 'number' ? texts[code] : undefined
  if (known) return known
  if (thrown instanceof TypeError) return 'Your wallet cannot be reached.'
  const text = typeof message === 'string' ? message.trim().slice(0, maxLength) : ''
  return text ? `Your wallet says: ${text}` : 'Your wallet failed without an error message.'
}

/** Returns true when the wallet does not know the chain (EIP-3326); some wallets wrap that error. */
export const isUnknownChain = (thrown: unknown): boolean => {
  const { code, data } = readError(thrown)
  return code === 4902 || readError(readError(data).originalError).code === 4902
}

const readError = (thrown: unknown): Record<string, unknown> =>
  typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>) : {}
