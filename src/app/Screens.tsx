import { BrowserRouter, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { OPEN_ROUTES } from '~/domain/permissions'
import { MapsAsConfigured } from '~/src/features/places/MapsAsConfigured'
import { screens } from '~/src/store/screens'
import { useFullRouter } from '~/src/ui/place'
import { ROUTES } from './routes'
import { Screen } from './Screen'

const PUBLIC = OPEN_ROUTES.filter((route) => !ROUTES.includes(route))

const Announced = () => {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useFullRouter(navigate, pathname)
  return null
}

/** Every route beyond the public pages, with the full router; what is none leads home. */
export const Screens = () => (
  // Without transitions a page that is still loading shows its skeleton, and a field whose value is in the address
  // keeps up with the typing.
  <BrowserRouter useTransitions={false}>
    <Announced />
    <MapsAsConfigured>
      <Routes>
        {ROUTES.map((route) => (
          <Route key={route} path={route} element={<Screen route={route} />} />
        ))}
        {/* On its way out of here: the public pages are drawn without this router. */}
        {PUBLIC.map((route) => (
          <Route key={route} path={route} element={null} />
        ))}
        <Route path="*" element={<Navigate to={screens.home} replace />} />
      </Routes>
    </MapsAsConfigured>
  </BrowserRouter>
)
