/** Signing abilities of an account. */
export type Abilities = {
  /** a smart account without a key of its own, such as a Safe: it signs by a transaction */
  isContract: boolean
  /** the wallet executes several calls as one (EIP-5792) */
  hasBatches: boolean
}

/** Prefix of the code of an account with a key that delegates to a contract (EIP-7702). */
const delegation = '0xef0100'

/** @param code response to `eth_getCode`, untrusted */
export const isContractCode = (code: unknown): boolean =>
  typeof code === 'string' && code.length > 2 && !code.toLowerCase().startsWith(delegation)

/**
 * @param capabilities untrusted response to `wallet_getCapabilities`: `{ "0x1": { "atomic": { "status": "supported" } } }`
 * @param chain in hexadecimal; wallets list abilities of all chains at `0x0`
 */
export const hasAtomicBatches = (capabilities: unknown, chain: string): boolean =>
  [chain, '0x0'].some((key) => {
    const { status } = readRecord(readRecord(readRecord(capabilities)[key]).atomic)
    return status === 'supported'
  })

const readRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
