import { describe, expect, test } from 'vitest'
import { runSeeds, type SeedRunner } from './runSeeds.ts'

type Call = { seed: number; tell: (line: string) => void; end: (hasFailed: boolean) => void; die: () => void }

/** Starts `runSeeds` with runners whose runs end when the test says so. */
const start = (terms: { count: number; jobs: number; budget?: number }) => {
  const lines: string[] = []
  const progress: string[] = []
  const calls = new Map<number, Call>()
  const ended: number[] = []
  let runners = 0
  const startRunner = (): SeedRunner => {
    const index = runners
    runners += 1
    let die: () => void = () => undefined
    return {
      run: (seed, tell) =>
        new Promise((resolve, reject) => {
          die = () => reject(new Error('the process ended'))
          const end = (hasFailed: boolean) => {
            tell(`seed ${seed} ${hasFailed ? 'failed' : 'passed'}`)
            resolve({ hasFailed, cpuSeconds: 1 })
          }
          calls.set(seed, { seed, tell, end, die })
        }),
      end: () => {
        ended.push(index)
        die()
      },
    }
  }
  const done = runSeeds({
    ...{ first: 1, budget: 0, startRunner, ...terms },
    write: (line) => void lines.push(line),
    tellProgress: (line) => void progress.push(line),
  })
  /** Waits until the run of a seed has begun. */
  const find = async (seed: number): Promise<Call> => {
    for (let call = calls.get(seed); ; call = calls.get(seed)) {
      if (call) return call
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { lines, progress, calls, ended, find, done, countRunners: () => runners }
}

describe('runSeeds', () => {
  test('writes the reports in the order of the seeds', async () => {
    const { lines, find, done } = start({ count: 3, jobs: 2 })
    const first = await find(1)
    const second = await find(2)
    second.end(false)
    const third = await find(3)
    third.end(false)
    expect(lines).toEqual([])
    first.end(false)
    expect(await done).toBe(true)
    expect(lines).toEqual(['seed 1 passed', 'seed 2 passed', 'seed 3 passed'])
  })

  test('writes the lines of the lowest running seed at once', async () => {
    const { lines, find, done } = start({ count: 2, jobs: 2 })
    const second = await find(2)
    second.tell('without noise: does not fail')
    const first = await find(1)
    first.tell('without weather: does not fail')
    expect(lines).toEqual(['without weather: does not fail'])
    first.end(false)
    second.end(false)
    await done
    expect(lines[2]).toBe('without noise: does not fail')
  })

  test('reports the lowest of the seeds that fail, and starts no other', async () => {
    const { lines, calls, find, done } = start({ count: 9, jobs: 3 })
    const first = await find(1)
    const second = await find(2)
    await find(3)
    second.end(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines).toEqual([])
    first.end(false)
    expect(await done).toBe(false)
    expect(lines).toEqual(['seed 1 passed', 'seed 2 failed'])
    expect([...calls.keys()]).toEqual([1, 2, 3])
  })

  test('counts a process that dies as a failure', async () => {
    const { lines, find, done } = start({ count: 2, jobs: 1 })
    const first = await find(1)
    first.die()
    expect(await done).toBe(false)
    expect(lines).toEqual(['seed 1: Error: the process ended'])
  })

  test('starts no seed after the budget', async () => {
    const { lines, find, done } = start({ count: 9, jobs: 1, budget: 1 })
    for (const seed of [1, 2]) {
      const call = await find(seed)
      call.end(false)
    }
    expect(await done).toBe(true)
    expect(lines.at(-1)).toBe('stopped before seed 3: 1 s of CPU are used')
  })

  test('replaces a process after fifty runs, and tells the progress of every ten', async () => {
    const { progress, ended, find, done, countRunners } = start({ count: 51, jobs: 1 })
    for (let seed = 1; seed <= 51; seed += 1) {
      const call = await find(seed)
      call.end(false)
    }
    expect(await done).toBe(true)
    expect(countRunners()).toBe(2)
    expect(ended).toEqual([0, 1])
    expect(progress).toHaveLength(5)
    expect(progress[0]).toBe('10 of 51 seeds have ended after 10 s of CPU')
  })
})
