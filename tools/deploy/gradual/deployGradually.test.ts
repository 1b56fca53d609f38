import { expect, test } from 'vitest'
import type { RunWrangler } from '../runWrangler.ts'
import { deployGradually } from './deployGradually.ts'

const toWorker = (name: string) => ({
  config: { name, main: 'index.js', compatibility_date: '2026-10-01' },
  secrets: { KEY: 'secret' },
})
const workers = [toWorker('orders'), toWorker('gateway')]
const status = JSON.stringify({ versions: [{ version_id: 'old', percentage: 100 }] })

const deploy = async (options: { check?: () => Promise<void>; fail?: (command: string) => string | undefined }) => {
  const commands: string[] = []
  const lines: string[] = []
  const run: RunWrangler = async (args) => {
    const command = args.filter(
      (arg, index) => !['--config', '--secrets-file'].some((flag) => [arg, args[index - 1]].includes(flag)),
    )
    const text = command.join(' ')
    commands.push(text)
    const output = options.fail?.(text)
    if (output !== undefined) return { succeeded: false, output }
    return { succeeded: true, output: text.startsWith('deployments status') ? status : 'Worker Version ID: new' }
  }
  const check = options.check ?? (async () => undefined)
  const outcome = await deployGradually(workers, { run, version: 'v2', check, log: (line) => lines.push(line) })
  return {
    outcome,
    text: lines.join('\n'),
    shifts: commands.flatMap((each) => each.match(/versions deploy (.*?) --/)?.[1] ?? []),
  }
}

const steps = ['old@90% new@10%', 'old@60% new@40%', 'new@100%'].flatMap((step) => [step, step])

test('shifts all Workers step by step', async () => {
  expect(await deploy({})).toMatchObject({ outcome: 'done', shifts: steps })
})

test('shifts nothing when the deployment is not well before', async () => {
  const check = () => Promise.reject(new Error('GET /readyz is 503'))
  expect(await deploy({ check })).toMatchObject({
    outcome: 'failed',
    shifts: [],
    text: expect.stringContaining('nothing was shifted: GET /readyz is 503'),
  })
})

test.each([1, 2, 3])('a failed check after shift %i gives all traffic back', async (failing) => {
  let checks = 0
  const check = async () => {
    if (checks++ === failing) throw new Error('9 of 90 responses are 5xx or missing')
  }
  expect(await deploy({ check })).toMatchObject({
    outcome: 'failed',
    shifts: [...steps.slice(0, failing * 2), 'old@100%', 'old@100%'],
  })
})

test('a failed shift gives all traffic back, and a Worker that cannot go back is named with the command', async () => {
  const fail = (command: string) => (/new@40%|old@100%/.test(command) ? 'refused' : undefined)
  const { outcome, text } = await deploy({ fail })
  expect(outcome).toBe('failed')
  expect(text).toContain('npx wrangler versions deploy old@100% --name orders -y')
  expect(text).toContain('npx wrangler versions deploy old@100% --name gateway -y')
})

test.each([
  ['a Durable Object migration', 'versions upload', 'Version upload failed [code: 10211]'],
  ['a Worker that is new', 'deployments status', 'This Worker does not exist on your account. [code: 10007]'],
])('%s needs a whole deployment', async (_, prefix, output) => {
  const fail = (command: string) => (command.startsWith(prefix) ? output : undefined)
  expect(await deploy({ fail })).toMatchObject({ outcome: 'whole', shifts: [] })
})

test('another failure of an upload is an error', async () => {
  const fail = (command: string) => (command.startsWith('versions upload') ? 'no network' : undefined)
  await expect(deploy({ fail })).rejects.toThrow('no network')
})
