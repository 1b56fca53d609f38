import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'

export type Picture = {
  /** file name without extension */
  name: string
  url: string
  /** brings the page into its state for the picture */
  prepare: (page: Page) => Promise<void>
  /** of the README: every reader loads it */
  maxBytes?: number
  /** selects the last element of the picture */
  until: string
  /** errors that the page logs as intended */
  expected?: RegExp
}

/** By the end of the file name. */
const looks = {
  '': { width: 1_280, height: 800, colorScheme: 'light' },
  '-dark': { width: 1_280, height: 800, colorScheme: 'dark' },
  '-phone': { width: 390, height: 844, colorScheme: 'light', isMobile: true },
} as const

export type Look = keyof typeof looks
/** Navigation at the lower edge of the window, pixels. */
const bottom = { '': 0, '-dark': 0, '-phone': 64 } as const
/** Margin below the last element, pixels. */
const margin = 12
/**
 * Takes pictures of a page: `<name>.png`, `<name>-dark.png` and `<name>-phone.png`.
 * @param wanted ends of the file names
 * @param save returns the path of a file
 * @throws Error when a page logs an error, or a picture is too large
 */
export const takePicture = async (
  browser: Browser,
  { name, url, prepare, until, expected, maxBytes = Number.POSITIVE_INFINITY }: Picture,
  wanted: readonly Look[],
  save: (name: string) => string,
): Promise<void> => {
  for (const look of wanted) {
    const { width, height, ...options } = looks[look]
    const context = await browser.newContext({
      ...options,
      viewport: { width, height },
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => void errors.push(message))
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(url)
    await prepare(page)
    // elements at the lower edge of the window stand below the content
    const resize = async (end: number) => {
      await page.setViewportSize({ width, height: Math.max(height, end + bottom[look]) })
      return (await findEnd(page, until)) + margin
    }
    // panels may depend on the height of the window
    const end = await resize(await resize((await findEnd(page, until)) + margin))
    const picture = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      clip: { x: 0, y: 0, width, height: end + bottom[look] },
    })
    await context.close()
    const unexpected = errors.filter((error) => !expected?.test(error))
    if (unexpected.length > 0) throw new Error(`${url}: ${unexpected.join('; ')}`)
    if (picture.length > maxBytes) throw new Error(`${name} has ${picture.length} bytes; the limit is ${maxBytes}`)
    await writeFile(save(`${name}${look}.png`), picture)
  }
}

/** Pixels from the top of the page to the lower edge of the lowest matching element. */
const findEnd = async (page: Page, selector: string): Promise<number> => {
  await page.evaluate('scrollTo(0, 0)')
  const boxes = await Promise.all((await page.locator(selector).all()).map((element) => element.boundingBox()))
  const ends = boxes.flatMap((box) => (box ? [box.y + box.height] : []))
  if (ends.length === 0) throw new Error(`${page.url()} has no ${selector}`)
  return Math.ceil(Math.max(...ends))
}
