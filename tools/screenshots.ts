import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, launchBrowser } from './browser/launchBrowser.ts'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { listPictures } from './screenshots/listPictures.ts'
import { makeHistory } from './screenshots/makeHistory.ts'
import { daySeconds, makePastDay } from './screenshots/makePastDay.ts'
import { takePicture } from './screenshots/takePicture.ts'
import { type Stack, startStack } from './stack/startStack.ts'

const folder = join(import.meta.dirname, '../docs/images')

const command = {
  run: 'npm run screenshots',
  about: "Takes pictures of the console's pages for the README, on a temporary stack.",
  options: {},
} as const

/** Starts a stack, trades on it and takes each picture. */
const main = async (): Promise<void> => {
  readCommand(command)
  if (!hasBrowser) throw new Error('Chromium not found: install it, or set CHROMIUM_PATH')
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-screenshots-'))
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const ports = { port: 0, rpcPort: 0, dbPort: 0 }
  try {
    console.log('starting a stack …')
    const stack = await startStack({ dir, ...ports, secondsBehind: daySeconds, signal: interruption.signal })
    const interrupted = new Promise<never>((_, reject) =>
      interruption.signal.addEventListener('abort', () => reject(new Error('interrupted'))),
    )
    const browser = await launchBrowser()
    try {
      await Promise.race([takeAll(stack, browser), interrupted])
    } finally {
      await browser.close()
      await stack.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const takeAll = async (stack: Stack, browser: Browser): Promise<void> => {
  const { info } = stack
  console.log('a day of trading …')
  await makePastDay(stack)
  console.log('trading …')
  const history = await makeHistory(info)
  for (const picture of listPictures(info, history)) {
    console.log(`taking ${picture.name} …`)
    await takePicture(browser, picture, folder)
  }
}

await runMain(main, { exits: true })
