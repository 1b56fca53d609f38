const addressPattern = /^0x[0-9a-fA-F]{40}$/

/** Valid addresses in a wallet's response, lower case. */
export const readAccounts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' && addressPattern.test(item)).map((item) => item.toLowerCase())
    : []
