import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { orderCreationSchema } from '#shared/orders/orderCreation.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import { benchOwners } from './benchOwners.ts'
import { createOrderSigner } from './createOrderSigner.ts'

const { chainId, settlementContract, wrappedNative, usdReference } = networks.sepolia

test('signs a different order by its owner in every body', () => {
  const sign = createOrderSigner({
    sellToken: wrappedNative,
    buyToken: usdReference.address,
    sellAmount: '1000',
    buyAmount: '5',
    validFor: 60,
  })
  const domainSeparator = computeDomainSeparator(chainId, settlementContract)
  const digests = [sign(), sign()].map((body) => {
    const appDataHash = '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d' as const
    const order = orderCreationSchema.parse(JSON.parse(body))
    const digest = computeOrderDigest(domainSeparator, {
      ...order,
      receiver: order.receiver ?? order.from ?? '0x',
      appDataHash,
    })
    expect(recoverSigner('eip712', digest, order.signature)).toEqual({ signer: order.from })
    expect(benchOwners()).toContain(order.from)
    return digest
  })
  expect(digests[0]).not.toBe(digests[1])
})
