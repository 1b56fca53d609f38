import { type Hex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { openSql } from '#test/helpers/solvers/solverMarket.ts'
import { openSettlementStore } from './settlementStore.ts'

const call = (calldata: Hex) => ({ calldata, accessList: [] })

describe('the memory of solutions', () => {
  test('deletes solutions older than five auctions, except those in flight', () => {
    const store = openSettlementStore(openSql())
    const [proposed = 0, queued = 0] = store.insert('1', [call('0x01'), call('0x02')])
    store.queue(queued, 100)
    for (const auctionId of ['2', '3', '4', '5']) store.insert(auctionId, [call('0x03')])
    expect(store.find('1', proposed)?.calldata).toBe('0x01')
    store.insert('6', [call('0x04')])
    expect(store.find('1', proposed)).toBeUndefined()
    expect(store.find('1', queued)).toMatchObject({ state: 'queued', calldata: '0x02' })
    expect(store.find('2', queued)).toBeUndefined()
  })

  test('stores the access list that a settlement declares', () => {
    const sql = openSql()
    const store = openSettlementStore(sql)
    const accessList = [{ address: zeroAddress, storageKeys: ['0x00' as const] }]
    const [id = 0] = store.insert('2', [{ calldata: '0x02', accessList }])
    expect(openSettlementStore(sql).find('2', id)?.accessList).toEqual(accessList)
  })

  test('retains the first outcome', () => {
    const store = openSettlementStore(openSql())
    const [id = 0] = store.insert('1', [call('0x01')])
    store.saveOutcome(id, { mined: false, reason: 'too late' })
    store.saveOutcome(id, { mined: true })
    expect(store.find('1', id)?.outcome).toEqual({ mined: false, reason: 'too late' })
  })

  const signed = { raw: '0x02' as Hex, nonce: 4, gas: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, atBlock: 1 }

  test('rejects a second nonce for one submission', () => {
    const store = openSettlementStore(openSql())
    const [id = 0] = store.insert('1', [call('0x01')])
    store.saveSettlement(id, signed, '0xaa')
    store.saveSettlement(id, { ...signed, maxFeePerGas: 3n }, '0xbb')
    expect(store.find('1', id)).toMatchObject({ settlementHashes: ['0xaa', '0xbb'], signed: { maxFeePerGas: 3n } })
    expect(() => store.saveSettlement(id, { ...signed, nonce: 5 }, '0xcc')).toThrow('has nonce 4, not 5')
    expect(() => store.saveCancellation(id, { ...signed, nonce: 5 })).toThrow('has nonce 4, not 5')
  })

  test('has work until the last transaction can no longer be removed', () => {
    const store = openSettlementStore(openSql())
    expect(store.hasWork()).toBe(false)
    const [id = 0, other = 0] = store.insert('1', [call('0x01'), call('0x02')])
    expect(store.hasWork()).toBe(false)
    store.queue(id, 10)
    expect(store.hasWork()).toBe(true)
    store.saveSettlement(id, signed, '0xaa')
    store.saveOutcome(id, { mined: true })
    store.confirm(id, 7)
    const confirming = { solutionId: id, signed, outcome: { mined: true }, settlementHashes: ['0xaa'], confirmedAt: 7 }
    expect(store.findConfirming()).toEqual([confirming])
    expect(store.hasWork()).toBe(true)
    store.finish(id)
    expect(store.hasWork()).toBe(false)
    store.confirm(other, 7)
    expect(store.hasWork()).toBe(false)
    expect(store.findConfirming()).toEqual([])
  })

  test('lists transactions in flight by nonce, before waiting submissions', () => {
    const store = openSettlementStore(openSql())
    const [waiting = 0, second = 0, first = 0] = store.insert('1', [call('0x01'), call('0x02'), call('0x03')])
    expect(store.findFirstUnfinished()).toBeNull()
    store.queue(waiting, 10)
    expect(store.findFirstUnfinished()).toBe(waiting)
    expect(store.isSettling()).toBe(false)
    store.saveSettlement(second, { ...signed, nonce: 5 }, '0xbb')
    store.saveSettlement(first, signed, '0xaa')
    expect(store.findUnfinished().map(({ solutionId }) => solutionId)).toEqual([first, second, waiting])
    expect(store.findFirstUnfinished()).toBe(first)
    expect(store.isSettling()).toBe(true)
    for (const id of [first, second]) store.confirm(id, 7)
    expect(store.isSettling()).toBe(false)
    expect(store.findFirstUnfinished()).toBe(waiting)
  })

  test('parses the draft of a submission once, and again after the next auction', () => {
    const store = openSettlementStore(openSql())
    const draft = { gasPrice: 10n, prices: [], batches: [] }
    const [id = 0] = store.insert('1', [{ ...call('0x01'), draft }])
    store.queue(id, 10)
    const [first] = store.findUnfinished()
    expect(first?.draft).toEqual(draft)
    expect(store.find('1', id)?.draft).toBe(first?.draft)
    store.insert('2', [{ ...call('0x02'), draft: { ...draft, gasPrice: 20n } }, call('0x03')])
    expect(store.find('1', id)?.draft).toEqual(draft)
    expect(store.find('2', id + 1)?.draft?.gasPrice).toBe(20n)
    expect(store.find('2', id + 2)?.draft).toBeUndefined()
  })

  test('finishes an unreadable record, and retains later ones', () => {
    const sql = openSql()
    const store = openSettlementStore(sql)
    const [broken = 0, next = 0] = store.insert('1', [call('0x01'), call('0x02')])
    for (const id of [broken, next]) store.queue(id, 10)
    sql.exec(`update submissions set access_list = '[' where solution_id = ?`, broken)
    expect(store.findUnfinished().map(({ solutionId }) => solutionId)).toEqual([next])
    expect(store.find('1', broken)).toMatchObject({
      state: 'finished',
      outcome: { mined: false, reason: 'its record is unreadable' },
    })
  })
})
