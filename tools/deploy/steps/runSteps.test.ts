import { expect, test } from 'vitest'
import { WranglerError } from '../runWrangler.ts'
import { type DeployStep, runSteps } from './runSteps.ts'

const run = async (works: DeployStep['work'][]) => {
  const lines: string[] = []
  const steps = works.map((work, index) => ({ name: `step ${index}`, work }))
  return { isDone: await runSteps(steps, (line) => lines.push(line)), text: lines.join('\n') }
}
const well = async () => 'fine'
const badly = async () => {
  throw new WranglerError('refused [code: 10143]\n')
}

test('runs all steps and prints each result', async () => {
  expect(await run([well, well])).toEqual({ isDone: true, text: '\n  1/2 step 0: fine\n  2/2 step 1: fine' })
})

test('stops at a failing step, with its reason and the next action', async () => {
  let isTaken = false
  const never = async () => {
    isTaken = true
    return ''
  }
  const { isDone, text } = await run([well, badly, never])
  expect(isDone).toBe(false)
  expect(isTaken).toBe(false)
  expect(text).toContain('2/3 step 1: failed\nrefused [code: 10143]')
  expect(text).toContain('steps 1 to 1 are done')
  expect((await run([badly, well])).text).toContain('no other step ran')
})

test('no database URL is in the report', async () => {
  const failing = async () => {
    throw new Error('cannot reach postgres://user:hunter2@host/db')
  }
  expect((await run([failing])).text).not.toContain('hunter2')
})
