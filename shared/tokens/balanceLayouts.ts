import { type Address, concatHex, type Hex, keccak256, numberToHex, pad } from 'viem'

/** Storage slot of a holder's balance in the token contract. */
export type BalanceLayout = (holder: Address) => Hex

const slotsOfSolidity = 64

const slotsOfVyper = 16

/** base slot of OpenZeppelin's ERC20Upgradeable since version 5 (ERC-7201 `openzeppelin.storage.ERC20`) */
const openZeppelinSlot: Hex = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00'

/** seed of Solady's ERC20 behind the holder and eight empty bytes */
const soladySuffix: Hex = '0x000000000000000087a211a2'

/** `mapping(address => uint256)` at a slot: Solidity hashes key ‖ slot, Vyper slot ‖ key. */
const ofSolidity =
  (slot: Hex): BalanceLayout =>
  (holder) =>
    keccak256(concatHex([pad(holder), slot]))

const ofVyper =
  (slot: Hex): BalanceLayout =>
  (holder) =>
    keccak256(concatHex([slot, pad(holder)]))

/** Built on first use: a Worker must not compute while it loads. */
export const buildLayouts = (): BalanceLayout[] => [
  ...Array.from({ length: slotsOfSolidity }, (_, slot) => ofSolidity(numberToHex(slot, { size: 32 }))),
  ...Array.from({ length: slotsOfVyper }, (_, slot) => ofVyper(numberToHex(slot, { size: 32 }))),
  ofSolidity(openZeppelinSlot),
  (holder) => keccak256(concatHex([holder, soladySuffix])),
]
