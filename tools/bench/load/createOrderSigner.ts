import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Address, type Hex, keccak256, stringToBytes, toBytes, toHex } from 'viem'
import { networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { fromHex } from '#shared/signing/hex.ts'
import { benchKeyOf, benchOwners, ownerCount } from './benchOwners.ts'

export type BenchOrderTerms = {
  sellToken: Address
  buyToken: Address
  /** atoms; each further order adds one, so that all differ */
  sellAmount: string
  buyAmount: string
  /** seconds after the signature */
  validFor: number
}
const { chainId, settlementContract } = networks.sepolia
const domainSeparator = computeDomainSeparator(chainId, settlementContract)
const fullAppData = '{}'
const appDataHash = keccak256(stringToBytes(fullAppData))

/**
 * Creates complete, signed bodies of POST orders, each for another order and owner.
 * @returns a function that returns the next body as JSON text
 */
export const createOrderSigner = (terms: BenchOrderTerms): (() => string) => {
  const owners = benchOwners()
  const keys = owners.map((_, index) => toBytes(benchKeyOf(index)))
  let made = BigInt(Date.now())
  let turn = 0
  return () => {
    turn = (turn + 1) % ownerCount
    made += 1n
    const owner = owners[turn] as Address
    const order = {
      sellToken: terms.sellToken,
      buyToken: terms.buyToken,
      receiver: owner,
      sellAmount: BigInt(terms.sellAmount) + made,
      buyAmount: BigInt(terms.buyAmount),
      validTo: Math.floor(Date.now() / 1000) + terms.validFor,
      feeAmount: 0n,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    } as const
    const digest = computeOrderDigest(domainSeparator, { ...order, appDataHash })
    const signature = secp256k1.sign(fromHex(digest, 32, 'digest'), keys[turn] as Uint8Array, {
      prehash: false,
      format: 'recovered',
    })
    return JSON.stringify({
      ...order,
      sellAmount: order.sellAmount.toString(),
      buyAmount: order.buyAmount.toString(),
      feeAmount: '0',
      appData: fullAppData,
      from: owner,
      signingScheme: 'eip712',
      signature: toWireSignature(signature),
    })
  }
}

/** r ‖ s ‖ v: the library returns the recovery bit first. */
const toWireSignature = (recovered: Uint8Array): Hex =>
  `${toHex(recovered.subarray(1))}${((recovered[0] ?? 0) + 27).toString(16)}`
