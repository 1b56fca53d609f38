import { routes, sharedWorkers } from '#shared/api/routes.ts'
import { auxiliaryFormat, type ErrorFormat, orderBookFormat } from '#shared/http/errorFormats.ts'

/** The first fixed segment of a path and its place: `2 tokens` for `/{chainId}/tokens/prices`. */
const toFamily = (path: string): string => {
  const segments = path.split('/')
  const at = segments.findIndex((segment, i) => i > 0 && !segment.startsWith('{'))
  return `${at} ${segments[at]}`
}

const auxiliaryFamilies = new Set(
  Object.values(routes)
    .filter(({ worker }) => sharedWorkers.some((shared) => shared === worker))
    .map(({ path }) => toFamily(path)),
)

/** Error format of a path for errors of the gateway itself; an unknown path gets the format of its API. */
export const findErrorFormat = (pathname: string): ErrorFormat => {
  const [, first, second] = pathname.split('/')
  const isAuxiliary = auxiliaryFamilies.has(`1 ${first}`) || auxiliaryFamilies.has(`2 ${second}`)
  return isAuxiliary ? auxiliaryFormat : orderBookFormat
}
