import { drawBlowerDoor } from './blower-door.ts';
import { drawDatasheetDesk } from './datasheet-desk.ts';
import { drawPlinthDetail } from './plinth-detail.ts';
import { drawRoofMembrane } from './roof-membrane.ts';
import { drawTensileTest } from './tensile-test.ts';
import { drawTimberFrame } from './timber-frame.ts';
import { drawWarehouse } from './warehouse.ts';
import { drawWindowJoint } from './window-joint.ts';
import { drawWinterSite } from './winter-site.ts';
import { drawWoodFibreBoards } from './wood-fibre-boards.ts';

export { MOTIF_HEIGHT, MOTIF_WIDTH } from './plate.ts';

/** The illustrations for posts and pages by key; each draws itself as SVG. */
export const MOTIFS: Readonly<Record<string, () => string>> = {
  'blower-door': drawBlowerDoor,
  'datasheet-desk': drawDatasheetDesk,
  'plinth-detail': drawPlinthDetail,
  'roof-membrane': drawRoofMembrane,
  'tensile-test': drawTensileTest,
  'timber-frame': drawTimberFrame,
  warehouse: drawWarehouse,
  'window-joint': drawWindowJoint,
  'winter-site': drawWinterSite,
  'wood-fibre-boards': drawWoodFibreBoards,
};
