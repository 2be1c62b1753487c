"""The drawing in words as a tree: its accessible twin."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from kentino_configurator.core.topology import DisplayList

BOX_ID_ROLE: Final = Qt.ItemDataRole.UserRole + 1


class OutlineModel(QStandardItemModel):
    """One row for each line of the twin, nested by its indent."""

    def __init__(self, display_list: DisplayList) -> None:
        super().__init__()
        self._by_box: dict[str, QStandardItem] = {}
        parents = [self.invisibleRootItem()]
        for (indent, words), box_id in zip(display_list.twin, display_list.twin_box_ids, strict=True):
            item = self._item(words, box_id)
            del parents[indent + 1 :]
            parents[-1].appendRow(item)
            parents.append(item)

    def _item(self, words: str, box_id: str) -> QStandardItem:
        item = QStandardItem(words)
        item.setEditable(False)
        item.setToolTip(words)
        item.setData(box_id, BOX_ID_ROLE)
        if box_id:
            self._by_box[box_id] = item
        return item

    def index_of_box(self, box_id: str) -> QModelIndex:
        """The row of a device, invalid when it has none."""
        item = self._by_box.get(box_id)
        return item.index() if item else QModelIndex()
