import { expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { describeOnchainCancel } from './describeOnchainCancel.ts'

const onchainUser = `0x${'12'.repeat(20)}`
const ethflowData = { userValidTo: 1, refundTxHash: null, isRefunded: false }

test.each([
  [{ signingScheme: 'eip712' }, undefined],
  [{ signingScheme: 'ethsign' }, undefined],
  [
    { signingScheme: 'presign' },
    /^0xdddddd…dddddd, which owns it, can cancel it on-chain by invalidateOrder of the settlement contract/,
  ],
  [
    { signingScheme: 'eip1271' },
    /^0xdddddd…dddddd, which owns it, can cancel it on-chain by invalidateOrder of the settlement contract/,
  ],
  [{ signingScheme: 'eip1271', onchainUser }, /^0x121212…121212, who placed it on-chain, .* to 0xdddddd…dddddd/],
  [
    { signingScheme: 'eip1271', onchainUser, ethflowData },
    /^0x121212…121212, .* by invalidateOrder of 0xdddddd…dddddd, the ETH-flow contract/,
  ],
] as const)('describes how the owner of %j cancels it on-chain', (changes, text) => {
  const description = describeOnchainCancel(sampleOrder(changes))
  if (text) expect(description).toMatch(text)
  else expect(description).toBeUndefined()
})
