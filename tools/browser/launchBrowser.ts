import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const { CHROMIUM_PATH } = process.env
/** Debian's packages; opening a page in the shell takes a quarter of the processor time of the full browser */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = CHROMIUM_PATH ?? installed.find(existsSync)

/** A machine without Chromium skips browser tests, unless `CHROMIUM_PATH` names one. */
export const hasBrowser = executablePath !== undefined

const args = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** A busy machine needs longer than the library's 30 s. */
const timeout = 120_000

/** The caller closes the browser; the library must not end the whole process at the first signal. */
const ownSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

/**
 * Starts the installed Chromium headless, without background requests.
 * @param flags beside those of every browser
 */
export const launchBrowser = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...flags], timeout, ...ownSignals })
