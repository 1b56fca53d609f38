import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { count } from '../../ui/numbers.ts'
import { type CsvFile, maxCsvRows } from './collectCsv.ts'

type Props = {
  /** plural of a row: `orders` */
  what: string
  fileName: string
  collect: (onProgress: (rows: number) => void, signal: AbortSignal) => Promise<CsvFile>
}

type State =
  | { phase: 'idle' }
  | { phase: 'loading'; rows: number }
  | { phase: 'failed'; failure: ApiFailure }
  | { phase: 'done'; rows: number; isComplete: boolean }

/** Saves a list with its current filters as a file. */
export const CsvButton = ({ what, fileName, collect }: Props) => {
  const [state, setState] = useState<State>({ phase: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const download = async () => {
    const own = new AbortController()
    running.current = own
    setState({ phase: 'loading', rows: 0 })
    try {
      const { parts, rows, isComplete } = await collect((loaded) => {
        if (!own.signal.aborted) setState({ phase: 'loading', rows: loaded })
      }, own.signal)
      if (own.signal.aborted) return
      save(fileName, parts)
      setState({ phase: 'done', rows, isComplete })
    } catch (thrown) {
      if (!own.signal.aborted) setState({ phase: 'failed', failure: asFailure(thrown) })
    }
  }
  return (
    <div class="csv">
      <button type="button" class="small" disabled={state.phase === 'loading'} onClick={download}>
        Download CSV
      </button>
      <span class="fine" role="status">
        {describe(state, what)}
      </span>
    </div>
  )
}

const describe = (state: State, what: string): string => {
  switch (state.phase) {
    case 'idle':
      return `All ${what} of this list, the newest ${count.format(maxCsvRows)} at most`
    case 'loading':
      return `${count.format(state.rows)} ${what} …`
    case 'failed':
      return `Download failed: ${state.failure.message}`
    case 'done':
      return state.isComplete
        ? `Saved ${count.format(state.rows)} ${what}`
        : `Saved the newest ${count.format(state.rows)} ${what}; there are more`
  }
}

/** Gives the browser a file of the page. */
const save = (name: string, parts: string[]): void => {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // the browser has started to read it by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
