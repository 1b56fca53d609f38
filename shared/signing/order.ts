import type { Address, Hex } from 'viem'

/** The exact amount: `sellAmount` of a sell order, `buyAmount` of a buy order. The other one is the limit. */
export type OrderKind = 'sell' | 'buy'

/** Source of the sell token in a settlement: the ERC-20 itself, or Balancer's Vault (allowance or balance). */
export type SellTokenBalance = 'erc20' | 'external' | 'internal'

/** Destination of the bought token: an ERC-20 transfer, or a balance inside Balancer's Vault. */
export type BuyTokenBalance = 'erc20' | 'internal'

/**
 * The signed fields of an order: the twelve members of `GPv2Order.Data` in the settlement contract, in the same sequence.
 * The owner is not a member; it is the signer.
 */
export interface Order {
  sellToken: Address
  /** `0xEeee…EEeE` stands for the native token */
  buyToken: Address
  /** recipient of the buy token; the zero address means the owner */
  receiver: Address
  /** sell token atoms, uint256; exact for a sell order, the maximum for a buy order */
  sellAmount: bigint
  /** buy token atoms, uint256; exact for a buy order, the minimum for a sell order */
  buyAmount: bigint
  /** last valid second, Unix time, uint32 */
  validTo: number
  /** keccak-256 of the app data document (member `appData` of the signed struct) */
  appDataHash: Hex
  /** sell token atoms on top of `sellAmount`, uint256; 0 in current orders, whose fee is part of the price */
  feeAmount: bigint
  kind: OrderKind
  /** false: all or nothing */
  partiallyFillable: boolean
  sellTokenBalance: SellTokenBalance
  buyTokenBalance: BuyTokenBalance
}
