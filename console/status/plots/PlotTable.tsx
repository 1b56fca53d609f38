import { ScrollSection } from '../../ui/elements/ScrollSection.tsx'
import type { PlotData } from './plotSeries.ts'

/** The data of a plot as a table, newest first. */
export const PlotTable = ({ title, data }: { title: string; data: PlotData }) => {
  const rows = data.times.map((time, i) => ({ time, values: data.series.map(({ values }) => values[i] ?? null) }))
  return (
    <ScrollSection class="plot-table" aria-label={`${title}, table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {data.series.map(({ label }) => (
              <th key={label} scope="col" class="numeric">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ time, values }) => (
            <tr key={time}>
              <th scope="row">{data.formatTime(time)}</th>
              {values.map((value, i) => (
                <td key={data.series[i]?.label} class="numeric">
                  {value === null ? '–' : data.formatValue(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSection>
  )
}
