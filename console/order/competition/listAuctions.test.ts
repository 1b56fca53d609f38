import { expect, it } from 'vitest'
import { at, sampleAuction, sampleReport, sampleSolution } from '../../testing/sampleOrder.ts'
import { listAuctions, maxListed } from './listAuctions.ts'

const won = { proposedSolutions: [sampleSolution(0, { isWinner: true }), sampleSolution(1)] }

it('lists the newest won auction first', () => {
  const report = sampleReport({ auctions: [sampleAuction(3, won), sampleAuction(5, won), sampleAuction(9)] })
  expect(listAuctions(report, [])).toEqual([
    { id: 5, isWon: true, solutions: 2 },
    { id: 3, isWon: true, solutions: 2 },
    { id: 9, isWon: false, solutions: 1 },
  ])
})

it('uses events when there is no report', () => {
  const steps = [
    { label: 'ready', timestamp: at(0), auctionId: 1 },
    { label: 'considered', timestamp: at(1), auctionId: 2 },
    { label: 'executing', timestamp: at(2), auctionId: 1 },
  ]
  expect(listAuctions(null, steps)).toEqual([
    { id: 1, isWon: true, solutions: null },
    { id: 2, isWon: false, solutions: null },
  ])
})

it('limits the list', () => {
  const auctions = Array.from({ length: 5_000 }, (_, i) => sampleAuction(i, i === 0 ? won : {}))
  const listed = listAuctions(sampleReport({ auctions }), [])
  expect([listed.length, listed[0]?.id, listed[1]?.id]).toEqual([maxListed, 0, 4_999])
})
