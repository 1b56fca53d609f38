import { describe, expect, test } from 'vitest'
import { openSql } from '#test/helpers/solverMarket.ts'
import { openSettlementStore } from './settlementStore.ts'

describe('the memory of solutions', () => {
  test('forgets what is older than five auctions, but nothing that is under way', () => {
    const store = openSettlementStore(openSql())
    const [proposed = 0, queued = 0] = store.insert('1', ['0x01', '0x02'])
    store.queue(queued, 100)
    for (const auctionId of ['2', '3', '4', '5']) store.insert(auctionId, ['0x03'])
    expect(store.find('1', proposed)?.calldata).toBe('0x01')
    store.insert('6', ['0x04'])
    expect(store.find('1', proposed)).toBeUndefined()
    expect(store.find('1', queued)).toMatchObject({ state: 'queued', calldata: '0x02' })
    expect(store.find('2', queued)).toBeUndefined()
  })

  test('keeps the first outcome', () => {
    const store = openSettlementStore(openSql())
    const [id = 0] = store.insert('1', ['0x01'])
    store.saveOutcome(id, { mined: false, reason: 'too late' })
    store.saveOutcome(id, { mined: true })
    expect(store.find('1', id)?.outcome).toEqual({ mined: false, reason: 'too late' })
  })
})
