import { auxiliaryFormat, type ErrorFormat, orderBookFormat } from '#shared/http/errorFormats.ts'
import { findSharedGroup } from './findSharedGroup.ts'

/** How the gateway itself says an error: as the Worker would that answers the path. */
export const findErrorFormat = (pathname: string): ErrorFormat =>
  findSharedGroup(pathname) ? auxiliaryFormat : orderBookFormat
