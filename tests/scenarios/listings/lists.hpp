// Sorted lists with Grote's locks as his listings have them: as hardware/list.cu measures them.
#pragma once

#include "../../../algorithms/lists/coarse_list_of.hpp"
#include "../../../algorithms/lists/coupled_list_of.hpp"
#include "../../../algorithms/locks/grote_listings.hpp"

struct coarse_mcs_listing : coarse_list_of<grote::mcs_listing> {};
SIMT_SUBJECT(coarse_mcs_listing);
struct coupled_mcs2_listing : coupled_list_of<grote::mcs2_listing> {};
SIMT_SUBJECT(coupled_mcs2_listing);
struct coupled_tas_listing : coupled_list_of<grote::tas_listing> {};
SIMT_SUBJECT(coupled_tas_listing);
struct coupled_ttas_listing : coupled_list_of<grote::ttas_listing> {};
SIMT_SUBJECT(coupled_ttas_listing);
struct coupled_ticket_listing : coupled_list_of<grote::ticket_listing> {};
SIMT_SUBJECT(coupled_ticket_listing);
