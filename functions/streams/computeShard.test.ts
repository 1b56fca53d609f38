import { type Hex, keccak256, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { computeClientShard, computeShard } from './computeShard.ts'

test('distributes topics about evenly, each always to the same feed', () => {
  const hashes = Array.from({ length: 1_000 }, (_, i) => keccak256(pad(toHex(i))))
  const orders = hashes.map((hash) => ({ orderUid: `${hash}${'00'.repeat(24)}` as Hex }))
  const accounts = hashes.map((hash) => ({ account: hash.slice(0, 42) as Hex }))
  for (const topics of [orders, accounts]) {
    const shards = topics.map((topic) => computeShard(topic, 4))
    const counts = [0, 1, 2, 3].map((shard) => shards.filter((other) => other === shard).length)
    expect(Math.min(...counts)).toBeGreaterThan(200)
    expect(topics.map((topic) => computeShard(topic, 4))).toEqual(shards)
  }
})

test('distributes clients about evenly', () => {
  const shards = Array.from({ length: 1_000 }, (_, i) => computeClientShard(`192.0.${i >> 8}.${i & 255}`, 4))
  for (const shard of [0, 1, 2, 3]) expect(shards.filter((other) => other === shard).length).toBeGreaterThan(200)
})
