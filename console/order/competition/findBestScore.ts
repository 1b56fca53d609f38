import type { SolverCompetition } from './loadCompetition.ts'

/** The highest score, including filtered solutions, which may exceed the winner's. */
export const findBestScore = ({ solutions }: Pick<SolverCompetition, 'solutions'>): bigint =>
  solutions.reduce((best, { score }) => (BigInt(score) > best ? BigInt(score) : best), 0n)
