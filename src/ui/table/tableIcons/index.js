/**
 * The icons that @material-table/core imports, by the names of the package they replace. As a
 * workspace of that name it takes the package's place in the installation and in the bundle.
 */
import { createElement } from 'react'
import { createSvgIcon } from '@mui/material/utils'

/** Creates a line icon in the style of `Icon`. */
const line = (name, d) =>
  createSvgIcon(
    createElement('path', {
      d,
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 1.8,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
    }),
    name,
  )

export const AddBox = line('AddBox', 'M4 4h16v16H4zM12 8v8M8 12h8')
export const ArrowDownward = line('ArrowDownward', 'M12 5v14M6 13l6 6 6-6')
export const Check = line('Check', 'M5 12.5 10 17.5 19.5 7')
export const ChevronLeft = line('ChevronLeft', 'm15 6-6 6 6 6')
export const ChevronRight = line('ChevronRight', 'm9 6 6 6-6 6')
export const Clear = line('Clear', 'M6 6l12 12M18 6 6 18')
export const DeleteOutlined = line(
  'DeleteOutlined',
  'M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
)
export const Edit = line('Edit', 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4')
export const FilterList = line('FilterList', 'M4 7h16M7 12h10M10 17h4')
export const FirstPage = line('FirstPage', 'M6 6v12M18 6l-6 6 6 6')
export const LastPage = line('LastPage', 'm6 6 6 6-6 6M18 6v12')
export const Remove = line('Remove', 'M5 12h14')
export const Replay = line('Replay', 'M19.5 8A8 8 0 1 0 20 13M20 4v4.5h-4.5')
export const SaveAlt = line('SaveAlt', 'M12 4v10M8 10.5l4 4 4-4M5 19h14')
export const Search = line(
  'Search',
  'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
)
export const ViewColumn = line('ViewColumn', 'M4 5h16v14H4zM9.5 5v14M14.5 5v14')
