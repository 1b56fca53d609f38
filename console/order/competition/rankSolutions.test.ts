import { describe, expect, it } from 'vitest'
import { hash, uid, usdc, weth } from '../../testing/sampleOrder.ts'
import { findVictory } from './findVictory.ts'
import type { SolverCompetition } from './loadCompetition.ts'
import { rankSolutions } from './rankSolutions.ts'

type Solution = SolverCompetition['solutions'][number]

const solution = (
  ranking: number,
  score: string,
  buyAmount: string | null,
  more: Partial<Solution> = {},
): Solution => ({
  solverAddress: `0x${String(ranking).repeat(40)}`,
  score,
  ranking,
  clearingPrices: {},
  orders: buyAmount === null ? [] : [{ id: uid, sellAmount: '10', buyAmount, sellToken: weth, buyToken: usdc }],
  isWinner: ranking === 1,
  filteredOut: false,
  txHash: ranking === 1 ? hash : null,
  referenceScore: null,
  outcome: null,
  ...more,
})
const competition = (...solutions: Solution[]): SolverCompetition => ({
  auctionId: 7,
  auctionStartBlock: 1,
  auctionDeadlineBlock: 2,
  transactionHashes: [],
  referenceScores: {},
  auction: { orders: [uid], prices: {} },
  solutions: solutions.toReversed(),
  leftOut: [],
})

describe('rankSolutions', () => {
  it('sorts solutions best first, with bars relative to the best score, exact for any size', () => {
    const huge = 10n ** 40n
    const ranked = rankSolutions(
      competition(solution(1, String(huge), '20'), solution(2, String(huge / 3n), null), solution(3, '0', '19')),
      uid,
    )
    expect(ranked.map(({ ranking, permille }) => [ranking, permille])).toEqual([
      [1, 1_000],
      [2, 499],
      [3, 0],
    ])
    expect(ranked.map(({ executed }) => executed)).toEqual([{ sell: 10n, buy: 20n }, null, { sell: 10n, buy: 19n }])
  })

  it('the best score may belong to a filtered solution', () => {
    const ranked = rankSolutions(
      competition(solution(1, '50', '20'), solution(2, '100', '30', { filteredOut: true })),
      uid,
    )
    expect(ranked.map(({ permille }) => permille)).toEqual([250, 1_000])
  })
})

describe('findVictory', () => {
  it('compares the winner with the next solution that could have won', () => {
    const ranked = rankSolutions(
      competition(solution(1, '50', '20'), solution(2, '100', '30', { filteredOut: true }), solution(3, '40', '18')),
      uid,
    )
    expect(findVictory(ranked, 'sell')).toMatchObject({ winner: { ranking: 1 }, next: { ranking: 3 }, advantage: 2n })
    expect(findVictory(ranked, 'buy')?.advantage).toBeNull()
  })

  it('handles a missing runner-up and a missing winner', () => {
    expect(findVictory(rankSolutions(competition(solution(1, '5', '2')), uid), 'sell')).toMatchObject({ next: null })
    expect(findVictory(rankSolutions(competition(solution(1, '5', null)), uid), 'sell')).toBeNull()
  })
})
