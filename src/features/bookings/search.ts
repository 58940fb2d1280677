import { useEffect, useState } from 'react'
import * as v from 'valibot'
import type { EndpointOutput } from '~/domain/api/api'
import { useAppDispatch } from '~/src/store/hooks'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { bookingSchema } from './bookings'
import type { Booking } from '~/domain/booking/types'

type Page = EndpointOutput<'find_bookings'>

/** Searches one page of the user's own bookings. */
const findBookings = createServiceThunk<{ words: string; cursor: string | null }, Page>(
  'bookinglistdata/find',
  async ({ words, cursor }, { functions }) => {
    const page = await functions.call('find_bookings', {
      words,
      ...(cursor !== null && { cursor }),
    })
    return { ...page, rows: page.rows.filter((row) => v.is(bookingSchema, row)) }
  },
)

interface Search {
  key: string
  found: Booking[]
  searchedCount: number
  state: 'searching' | 'done' | 'failed'
}

/**
 * Searches all of the user's own bookings on the server, page by page while `words` is set; null
 * ends the search. Shows each page when it arrives.
 */
export const useBookingSearch = (words: string | null) => {
  const dispatch = useAppDispatch()
  const [round, setRound] = useState(0)
  const key = words === null ? null : `${round} ${words}`
  const [search, setSearch] = useState<Search | null>(null)
  useEffect(() => {
    if (words === null || key === null) return
    let isWanted = true
    const readPages = async () => {
      const so: Search = { key, found: [], searchedCount: 0, state: 'searching' }
      let cursor: string | null = null
      do {
        const page: Page = await dispatch(findBookings.quiet({ words, cursor })).unwrap()
        if (!isWanted) return
        so.found = [...so.found, ...page.rows]
        so.searchedCount += page.looked
        cursor = page.next
        setSearch({ ...so, state: cursor === null ? 'done' : 'searching' })
      } while (cursor !== null)
    }
    readPages().catch(() => {
      if (isWanted)
        setSearch((before) => ({
          ...(before?.key === key ? before : { key, found: [], searchedCount: 0 }),
          state: 'failed',
        }))
    })
    return () => {
      isWanted = false
    }
  }, [words, key, dispatch])
  const current = search?.key === key ? search : null
  return {
    foundBookings: current?.found ?? [],
    searchedCount: current?.searchedCount ?? 0,
    state: words === null ? null : (current?.state ?? 'searching'),
    retry: () => setRound(round + 1),
  }
}
