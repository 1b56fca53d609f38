import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address, Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'

/** keccak256 of `EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)` */
const domainTypeHash = fromHex('0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f', 32, 'type hash')
/** keccak256 of `Gnosis Protocol` */
const nameHash = fromHex('0x6c85c0337eba1661327f94f3bf46c8a7f9311a563f4d5c948362567f5d8ed60c', 32, 'name hash')
/** keccak256 of `v2` */
const versionHash = fromHex('0xf9446b8e937d86f0bc87cac73923491692b123ca5f8761908494703758206adf', 32, 'version hash')

/**
 * EIP-712 domain separator of the settlement contract, which binds a signature to one chain and one contract. Equals the
 * contract's own `domainSeparator()`. It is the same for every order of a network, so the last one is remembered.
 * @param chainId EIP-155 chain id
 * @throws RangeError on an impossible chain id or address
 */
export function computeDomainSeparator(chainId: number, settlementContract: Address): Hex {
  if (chainId !== last?.chainId || settlementContract !== last.settlementContract)
    last = { chainId, settlementContract, separator: hashDomain(chainId, settlementContract) }
  return last.separator
}

let last: { chainId: number; settlementContract: Address; separator: Hex } | undefined

const hashDomain = (chainId: number, settlementContract: Address): Hex => {
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError(`chainId: ${chainId} is not a chain id`)
  const words = new Uint8Array(160)
  words.set(domainTypeHash, 0)
  words.set(nameHash, 32)
  words.set(versionHash, 64)
  new DataView(words.buffer).setBigUint64(120, BigInt(chainId))
  words.set(fromHex(settlementContract, 20, 'settlementContract'), 140)
  return toHex(keccak_256(words))
}
