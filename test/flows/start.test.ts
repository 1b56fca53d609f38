import { expect, test } from 'vitest'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { readStackInfo } from '#tools/stack/stackInfo.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { setUpNpmStart } from '../helpers/stack/npmStart.ts'

const own = setUpNpmStart()

test('the demo trades on a started stack and prints its notifications, and Ctrl-C leaves no process', async () => {
  const run = await own.startReady()
  const printed = (await own.demo()).split('\nnotifications of ')[1]
  expect(printed).toMatch(/order_filled +Your order on Sepolia sold 0\.5 WETH for [\d.,]+ USDC\.\n/)
  expect(printed).toMatch(/order_filled +Your order on Sepolia bought 250 DAI for [\d.,]+ USDC\.\n/)
  const { sinksUrl } = readStackInfo(own.dir)
  expect(printed).toContain(sinksUrl)
  const countDelivered = async () => {
    const response = await fetch(`${sinksUrl}/messages?channel=webhook`)
    const messages = (await response.json()) as { type: string; verified: boolean | null }[]
    return messages.filter(({ type, verified }) => type === 'order_filled' && verified).length
  }
  await waitUntil('both webhooks', async () => (await countDelivered()) === 2, { timeoutMs: patienceMs })

  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  await own.waitForEnd()
  expect(() => readStackInfo(own.dir)).toThrow('npm start')
})
