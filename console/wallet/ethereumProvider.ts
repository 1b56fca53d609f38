/** An EIP-1193 provider. It is third-party code: every response is untrusted. */
export type EthereumProvider = {
  request: (request: { method: string; params?: unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (value: unknown) => void) => void
  removeListener?: (event: string, listener: (value: unknown) => void) => void
}

/** A wallet, or an account of one, that can be connected. */
export type WalletChoice = {
  /** reverse domain name of the wallet: `io.metamask`; `local` for the accounts of a local stack */
  rdns: string
  name: string
  /** data: URL of an image */
  icon: string | null
  /** the account of the choice; null: the wallet decides */
  address: string | null
  provider: EthereumProvider
}
