import { expect, test } from 'vitest'
import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'
import { computeEstimateGas } from './computeEstimateGas.ts'

const passed: EstimateConfirmation = { status: 'passed', block: 1, gasUsed: 150_000n }
const skipped: EstimateConfirmation = { status: 'skipped', reason: 'timeout' }

const cases: [string, bigint | undefined, bigint, EstimateConfirmation, bigint | undefined][] = [
  ['said, when less was measured: the solver charges it', 200_000n, 0n, passed, 200_000n],
  ['measured, when the solver says less', 100_000n, 0n, passed, 150_000n],
  ['measured, when the solver says nothing', undefined, 0n, passed, 150_000n],
  ['said, when nothing was confirmed', 200_000n, 0n, skipped, 200_000n],
  ['said, with what hooks reserve', 200_000n, 70_000n, skipped, 270_000n],
  ['hooks used less than they reserve', 100_000n, 70_000n, passed, 170_000n],
  ['the solver said too little', 50_000n, 70_000n, passed, 150_000n],
  ['measured, with what hooks reserve', undefined, 70_000n, passed, 220_000n],
  ['unknown everywhere', undefined, 70_000n, skipped, undefined],
]
test.each(cases)('%s', (_, said, hookGas, verification, expected) => {
  expect(computeEstimateGas(said, hookGas, verification)).toBe(expected)
})
