"""Pictures made elsewhere: what a folder holds, what each file means, and the job that brings them in.

`scan` plans without touching the study; `import_images` carries the plan out. Types come from bytes, not
from names, and every file that is not taken is reported with the reason.
"""

from core.importing.job import ImportSink, import_images
from core.importing.plan import ImportPlan, Pending, Stated
from core.importing.remarks import remarks
from core.importing.scan import scan

__all__ = ["ImportPlan", "ImportSink", "Pending", "Stated", "import_images", "remarks", "scan"]
