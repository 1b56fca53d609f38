/** What EIP-1193 asks of a wallet. It is somebody else's code: nothing that it answers is taken as it is. */
export type EthereumProvider = {
  request: (request: { method: string; params?: unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (value: unknown) => void) => void
  removeListener?: (event: string, listener: (value: unknown) => void) => void
}

/** A wallet, or an account of one, that can be connected. */
export type WalletChoice = {
  /** which wallet it is, in reverse domain notation: `io.metamask`; `local` for the accounts of a local stack */
  rdns: string
  name: string
  /** data: URL of an image */
  icon: string | null
  /** the account that the choice stands for; null: the wallet says which */
  address: string | null
  provider: EthereumProvider
}
