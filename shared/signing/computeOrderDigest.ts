import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import { checkUint256 } from '../amounts/uint256.ts'
import { computeTypedDataDigest } from './computeTypedDataDigest.ts'
import { fromHex } from './hex.ts'
import type { Order } from './order.ts'

/**
 * keccak256 of `Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)`,
 * `GPv2Order.TYPE_HASH` in the settlement contract
 */
const orderTypeHash = fromHex('0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489', 32, 'type hash')

/** keccak256 of each word that a `string` member may hold, as EIP-712 encodes it */
const sell = fromHex('0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775', 32, 'sell')
const buy = fromHex('0x6ed88e868af0a1983e3886d5f3e95a2fafbd6c3450bc229e27342283dc429ccc', 32, 'buy')
const erc20 = fromHex('0x5a28e9363bb942b639270062aa6bb295f434bcdfc42c97267bf003f272060dc9', 32, 'erc20')
const external = fromHex('0xabee3b73373acd583a130924aad6dc38cfdc44ba0555ba94ce2ff63980ea0632', 32, 'external')
const internal = fromHex('0x4ac99ace14ee0a5ef932dc609df0943ab7ac16b7583634612f8dc35a4289a6ce', 32, 'internal')

const kindHashes = new Map<Order['kind'], Uint8Array>([
  ['sell', sell],
  ['buy', buy],
])
const sellTokenBalanceHashes = new Map<Order['sellTokenBalance'], Uint8Array>([
  ['erc20', erc20],
  ['external', external],
  ['internal', internal],
])
const buyTokenBalanceHashes = new Map<Order['buyTokenBalance'], Uint8Array>([
  ['erc20', erc20],
  ['internal', internal],
])

/**
 * EIP-712 digest of an order: signed by its owner, the first 32 bytes of its UID, `GPv2Order.hash` in the settlement
 * contract. It is computed for every submission, so the thirteen words (type hash and twelve members) are written by hand
 * into one buffer.
 * @param domainSeparator of the network, see `computeDomainSeparator`
 * @throws RangeError on a value that its Solidity type cannot hold
 */
export function computeOrderDigest(domainSeparator: Hex, order: Order): Hex {
  if (!Number.isInteger(order.validTo) || order.validTo < 0 || order.validTo > 0xffffffff) {
    throw new RangeError(`validTo: ${order.validTo} is not a uint32`)
  }
  const words = new Uint8Array(416)
  const view = new DataView(words.buffer)
  words.set(orderTypeHash, 0)
  words.set(fromHex(order.sellToken, 20, 'sellToken'), 44)
  words.set(fromHex(order.buyToken, 20, 'buyToken'), 76)
  words.set(fromHex(order.receiver, 20, 'receiver'), 108)
  setUint256(view, 128, checkUint256(order.sellAmount, 'sellAmount'))
  setUint256(view, 160, checkUint256(order.buyAmount, 'buyAmount'))
  view.setUint32(220, order.validTo)
  words.set(fromHex(order.appDataHash, 32, 'appDataHash'), 224)
  setUint256(view, 256, checkUint256(order.feeAmount, 'feeAmount'))
  words.set(getHash(kindHashes, order.kind, 'kind'), 288)
  words[351] = order.partiallyFillable ? 1 : 0
  words.set(getHash(sellTokenBalanceHashes, order.sellTokenBalance, 'sellTokenBalance'), 352)
  words.set(getHash(buyTokenBalanceHashes, order.buyTokenBalance, 'buyTokenBalance'), 384)
  return computeTypedDataDigest(domainSeparator, keccak_256(words))
}

/** `setBigUint64` writes the low 64 bits, so no shift needs a mask. */
function setUint256(view: DataView, offset: number, value: bigint): void {
  view.setBigUint64(offset, value >> 192n)
  view.setBigUint64(offset + 8, value >> 128n)
  view.setBigUint64(offset + 16, value >> 64n)
  view.setBigUint64(offset + 24, value)
}

function getHash<Word extends string>(hashes: Map<Word, Uint8Array>, word: Word, name: string): Uint8Array {
  const hash = hashes.get(word)
  if (!hash) throw new RangeError(`${name}: unknown value ${word}`)
  return hash
}
