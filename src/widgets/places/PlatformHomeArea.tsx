import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { getHomeArea, type InstalledCity } from '~/domain/geo/homeArea'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import { HomeAreaProvider } from '~/src/ui/format/address'
import { BUNDLED_URL, loadCityMap } from '~/src/ui/map/cityMap'
import { useMapSetup } from '~/src/ui/map/mapSetup'

/** Returns the city whose map is installed and shown; null with the map of a service. */
const useInstalledCity = (): InstalledCity | null => {
  const { basemap } = useMapSetup()
  const folder = basemap.kind === 'bundled' ? (basemap.baseUrl ?? BUNDLED_URL) : null
  const [city, setCity] = useState<InstalledCity | null>(null)
  useEffect(() => {
    if (folder === null) return undefined
    let isCurrent = true
    // Without the file, addresses keep their city.
    void loadCityMap(folder).then((map) => isCurrent && setCity(map))
    return () => {
      isCurrent = false
    }
  }, [folder])
  return folder === null ? null : city
}

/** Lets the addresses below leave out the platform's own city and country. */
export const PlatformHomeArea = ({ children }: { children: ReactNode }) => {
  const { settings } = useLive(liveSettings)
  const city = useInstalledCity()
  const { country = '', restrictCountry = '' } = settings ?? {}
  const home = useMemo(
    () => getHomeArea({ country, restrictCountry }, city),
    [country, restrictCountry, city],
  )
  return <HomeAreaProvider home={home}>{children}</HomeAreaProvider>
}
