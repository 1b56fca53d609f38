import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, launchBrowser } from '../../browser/launchBrowser.ts'
import { listPages } from '../../screenshots/listPictures.ts'
import { makeHistory } from '../../screenshots/makeHistory.ts'
import type { StackInfo } from '../../stack/stackInfo.ts'
import { startStack } from '../../stack/startStack.ts'
import type { Report } from '../figure.ts'
import { toText } from '../toTable.ts'
import { measurePage, type PageMeasures } from './measurePage.ts'
import { toPageReport } from './toPageReport.ts'

type Options = { quick: boolean; only: string | undefined }

/** CSS pixels: phone, tablet, notebook, large screen. */
const pageWidths = [360, 768, 1_440, 1_920]

/** Of several loads the fastest paint counts, because a busy machine only adds time, and the largest shift. */
const turns = 3

/** The console's pages and the API reference in Chromium, on a temporary stack with orders of all kinds. */
export const benchPages = async (options: Options, report: (report: Report) => void): Promise<void> => {
  if (!hasBrowser) throw new Error('Chromium not found: install it, or set CHROMIUM_PATH')
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-pages-'))
  try {
    const stack = await startStack({ dir, port: 0, rpcPort: 0, dbPort: 0 })
    const browser = await launchBrowser()
    try {
      report(await measurePages(stack.info, browser, options))
    } finally {
      await browser.close()
      await stack.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const measurePages = async (info: StackInfo, browser: Browser, { quick, only }: Options): Promise<Report> => {
  const pages = Object.entries(listPages(info, await makeHistory(info)))
  const rows: { page: string; width: number; measures: PageMeasures }[] = []
  for (const [name, url] of pages.filter(([page]) => only === undefined || page === only)) {
    console.log(`measuring ${name} …`)
    for (const width of pageWidths) {
      const loads: PageMeasures[] = []
      // in turns light and dark
      for (let turn = 0; turn < (quick ? 2 : turns); turn++)
        loads.push(await measurePage(browser, { url, width, isDark: turn % 2 === 1 }))
      const measures = combine(loads)
      console.log(`  ${width} px: LCP ${Math.round(measures.lcp)} ms, CLS ${toText(measures.cls)}`)
      rows.push({ page: name, width, measures })
    }
  }
  return toPageReport(rows)
}

const combine = (loads: readonly PageMeasures[]): PageMeasures => ({
  lcp: Math.min(...loads.map(({ lcp }) => lcp)),
  cls: Math.max(...loads.map(({ cls }) => cls)),
  findings: [...new Set(loads.flatMap(({ findings }) => findings))],
})
