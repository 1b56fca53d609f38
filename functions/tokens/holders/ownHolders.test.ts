import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { type OwnHoldersDeps, ownHolders } from './ownHolders.ts'

const token = networks.sepolia.wrappedNative
const holder = { address: `0x${'01'.repeat(20)}`, balance: 7n } as const

const find = (advance: OwnHoldersDeps['advance'], holders: ReturnType<OwnHoldersDeps['store']['findLargest']>) =>
  ownHolders({ store: { findIndexed: () => 12, findLargest: () => holders }, advance }).findHolders(
    networks.sepolia,
    token,
  )

test('returns the holders, and an unknown token without any', async () => {
  const advance = async () => true
  expect(await find(advance, [holder])).toEqual({ status: 'holders', holders: [holder] })
  expect(await find(advance, [])).toEqual({ status: 'unknown' })
})

test('an incomplete index or a failing node is a failure with its reason', async () => {
  expect(await find(async () => false, [holder])).toEqual({ status: 'failed', reason: 'indexed to block 12 so far' })
  const failing = () => Promise.reject(new Error('no node'))
  expect(await find(failing, [holder])).toEqual({ status: 'failed', reason: 'Error: no node' })
})
