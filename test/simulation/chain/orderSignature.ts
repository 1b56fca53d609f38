import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Address, bytesToHex, concatHex, type Hex, hashTypedData, hexToBytes, keccak256, toBytes } from 'viem'
import { orderTypes } from '../../helpers/orders/orderTypes.ts'

/** An order as the settlement contract reads it. */
export type TypedOrder = {
  sellToken: Address
  buyToken: Address
  receiver: Address
  sellAmount: bigint
  buyAmount: bigint
  validTo: number
  appData: Hex
  feeAmount: bigint
  kind: 'sell' | 'buy'
  partiallyFillable: boolean
  sellTokenBalance: 'erc20' | 'external' | 'internal'
  buyTokenBalance: 'erc20' | 'internal'
}

const maxKnown = 5_000
const digests = new Map<string, Hex>()
const signers = new Map<string, Address | undefined>()

const remember = <T>(known: Map<string, T>, key: string, compute: () => T): T => {
  if (known.has(key)) return known.get(key) as T
  if (known.size >= maxKnown) known.clear()
  const value = compute()
  known.set(key, value)
  return value
}

/** EIP-712 digest of an order, by viem: independent of the service's own. */
export const hashOrder = (chainId: number, verifyingContract: Address, order: TypedOrder): Hex => {
  const key = [chainId, verifyingContract, ...Object.values(order)].join()
  return remember(digests, key, () =>
    hashTypedData({
      domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract },
      types: orderTypes,
      primaryType: 'Order',
      message: order,
    }),
  )
}

const ethsignPrefix = bytesToHex(toBytes('\x19Ethereum Signed Message:\n32'))

/** `ecrecover` of a signature `r ‖ s ‖ v`; undefined when it has no signer. */
export const recoverEcdsa = (digest: Hex, signature: Hex, isEthsign = false): Address | undefined =>
  remember(signers, `${digest}${signature}${isEthsign}`, () => {
    const message = isEthsign ? keccak256(concatHex([ethsignPrefix, digest])) : digest
    const bytes = hexToBytes(signature)
    const recovery = (bytes[64] ?? 0) - 27
    if (recovery !== 0 && recovery !== 1) return undefined
    return recoverAccount(message, bytes.slice(0, 64), recovery)
  })

/** Account that signed a hash; undefined without one. */
export const recoverAccount = (hash: Hex, rs: Uint8Array, recovery: number): Address | undefined => {
  try {
    const point = secp256k1.Signature.fromBytes(rs, 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(hexToBytes(hash))
    const key = point.toBytes(false).slice(1)
    return `0x${keccak256(key).slice(-40)}`
  } catch {
    return undefined
  }
}
