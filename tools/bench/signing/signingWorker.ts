import wasm from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1.wasm'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { fromHex, toHex } from '#shared/signing/hex.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { createKeyRecovery } from '../../../functions/orders/recovery/createKeyRecovery.ts'

const { chainId, settlementContract, wrappedNative, usdReference } = networks.sepolia
const order = {
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  receiver: wrappedNative,
  sellAmount: 10n ** 18n,
  buyAmount: 10n ** 9n,
  validTo: 4_000_000_000,
  appDataHash: toHex(new Uint8Array(32).fill(1)),
  feeAmount: 0n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
} as const

const recoverByWasm = createKeyRecovery(wasm, ({ cause }) => {
  throw new Error(cause)
})

/** Responds to `/<operation>/<count>` after running the operation `count` times. */
export default {
  fetch(request: Request): Response {
    const [, operation, count] = new URL(request.url).pathname.split('/')
    const domainSeparator = computeDomainSeparator(chainId, settlementContract)
    const digest = computeOrderDigest(domainSeparator, order)
    const [recovery = 0, ...rs] = secp256k1.sign(fromHex(digest, 32, 'digest'), new Uint8Array(32).fill(7), {
      prehash: false,
      format: 'recovered',
    })
    const signature = toHex(Uint8Array.from([...rs, recovery + 27]))
    let last = ''
    for (let i = 0; i < Number(count); i++) {
      if (operation === 'digest') last = computeOrderDigest(domainSeparator, { ...order, validTo: i })
      else {
        const recover = operation === 'recover' ? recoverByWasm : recoverPublicKey
        last = recoverSigner('eip712', digest, signature, recover).signer ?? ''
      }
    }
    return new Response(last)
  },
}
