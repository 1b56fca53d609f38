import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const { CHROMIUM_PATH } = process.env
const executablePath = CHROMIUM_PATH ?? '/usr/bin/chromium'

/** A machine without Chromium goes without what needs one, unless it says where it is. */
export const hasBrowser = CHROMIUM_PATH !== undefined || existsSync(executablePath)

const args = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Who starts it ends it, and the rest of what runs: not the library, with the whole process, at the first signal. */
const ownSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

/** Starts the machine's own Chromium, without a window and without asking anybody for anything by itself. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args, ...ownSignals })
